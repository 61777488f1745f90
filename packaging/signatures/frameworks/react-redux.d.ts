// Read from React Redux 9.
export function useSelector<S, T>(selector: (state: any) => T, ...rest: any[]): T
