// Read from SWR 2.
export function useSWR<T>(key: any, fetcher: (given: any) => Promise<T>, options: any): { data: T }
