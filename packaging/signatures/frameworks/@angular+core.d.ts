// Read from Angular 20.
export interface Token<T> {
  toString(): string
}
export function InjectionToken<T>(name: string, options: any): Token<T>
export function inject__token<T>(token: Token<T>, options: any): T
export function inject<T>(token: new () => T, options: any): T
export function signal<T>(value: T, options: any): () => T
export function computed<T>(make: () => T, options: any): () => T
export function input<T>(value: T, options: any): () => T
export function model<T>(value: T, options: any): () => T
export function viewChild<T>(locator: new () => T, options: any): () => T
