// Read from TanStack Query 5.
export function useQuery<Q, E, T>(options: { queryFn: (given: any) => Promise<T>; select: (given: any) => T }, client: any): { data: T | Q }
export function useSuspenseQuery<Q, E, T>(options: { queryFn: (given: any) => Promise<T>; select: (given: any) => T }, client: any): { data: T | Q }
