// Read from @types/react 19.
export interface Context<T> { current: T }
export class Component<P, S> {
  props: P
  state: S
  setState(update: (state: S, props: P) => any, done: any): any
}
export class PureComponent<P, S> {
  props: P
  state: S
  setState(update: (state: S, props: P) => any, done: any): any
}
export function useState<T>(value: T | (() => T)): [T, (update: (before: T) => any) => any]
export function useReducer<R, T>(reducer: R, value: T, make: any): [ReturnType<R> | T, any]
export function useMemo<T>(make: () => T, rest: any): T
export function useCallback<T>(callback: T, rest: any): T
export function useRef<T>(value: T): { current: T }
export function createRef<T>(): { current: T }
export function forwardRef<T, P>(render: (props: P, ref: { current: T }) => any): any
export function memo<P>(component: (props: P) => any, same: any): any
export function useActionState<T>(action: any, value: T, link: any): [T, any]
export function useDeferredValue<T>(value: T): T
export function useOptimistic<T>(value: T, reducer: any): [T, any]
export function useSyncExternalStore<T>(subscribe: any, snapshot: () => T, server: any): T
export function createContext<T>(value: T): Context<T>
export function useContext<T>(context: Context<T>): T
export function use<T>(context: Context<T>): T
