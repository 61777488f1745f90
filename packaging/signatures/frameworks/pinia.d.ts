// Read from Pinia 3.
export function defineStore<T>(id: any, setup: () => T): () => T
export function defineStore__2<A, G, S>(id: any, options: { actions: A; getters: G; state: () => S }): () => A & G & S
export function defineStore__3<A, G, S>(options: { actions: A; getters: G; state: () => S }): () => A & G & S
export function storeToRefs<T>(store: T): T
