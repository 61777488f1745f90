// Read from Zustand 5.
export interface StoreApi<T> {
  getState(): T
  getInitialState(): T
  setState(part: (state: T) => any, ...rest: any[]): any
  subscribe(listener: (state: T, before: T) => any, ...rest: any[]): any
}
export function createStore<T>(make: (set: (update: (state: T) => any) => any, get: () => T, store: StoreApi<T>) => T): StoreApi<T>
export function useStore<T, U>(store: StoreApi<T>, selector: (state: T) => U): U
export function useStore__2<T>(store: StoreApi<T>): T
