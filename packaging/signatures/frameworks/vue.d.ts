// Read from Vue 3.5.
export function ref<T>(value: T): { value: T }
export function shallowRef<T>(value: T): { value: T }
export function useTemplateRef<T>(key: string): { value: T }
export function computed<T>(make: () => T): { value: T }
export function reactive<T>(value: T): T
export function shallowReactive<T>(value: T): T
export function readonly<T>(value: T): T
export function markRaw<T>(value: T): T
export function toRaw<T>(value: T): T
export function toValue<T>(value: { value: T }): T
export function unref<T>(value: { value: T }): T
