// Read from Angular 20.
export function inject<T>(token: new () => T, options: any): T
export function signal<T>(value: T, options: any): () => T
export function computed<T>(make: () => T, options: any): () => T
export function input<T>(value: T, options: any): () => T
export function model<T>(value: T, options: any): () => T
export function viewChild<T>(locator: new () => T, options: any): () => T
