// Read from @types/react 19.
export interface Context<T> { current: T }
export function useState<T>(value: T | (() => T)): [T, any]
export function useReducer<T>(reducer: any, value: T, make: any): [T, any]
export function useMemo<T>(make: () => T, rest: any): T
export function useCallback<T>(callback: T, rest: any): T
export function useRef<T>(value: T): { current: T }
export function useDeferredValue<T>(value: T): T
export function useOptimistic<T>(value: T, reducer: any): [T, any]
export function useSyncExternalStore<T>(subscribe: any, snapshot: () => T, server: any): T
export function createContext<T>(value: T): Context<T>
export function useContext<T>(context: Context<T>): T
