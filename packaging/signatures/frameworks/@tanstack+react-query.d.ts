// Read from TanStack Query 5.
export function useQuery<T>(options: { queryFn: (given: any) => Promise<T> }, client: any): { data: T }
export function useSuspenseQuery<T>(options: { queryFn: (given: any) => Promise<T> }, client: any): { data: T }
