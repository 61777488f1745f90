// Read from Lodash 4.
export function cloneDeep<T>(value: T): T
export function clone<T>(value: T): T
export function debounce<T>(callback: T, ...options: any[]): T
export function throttle<T>(callback: T, ...options: any[]): T
export function memoize<T>(callback: T, ...options: any[]): T
export function find<T>(values: T[], ...options: any[]): T
export function head<T>(values: T[]): T
export function first<T>(values: T[]): T
export function last<T>(values: T[]): T
export function filter<T>(values: T[], ...options: any[]): T[]
export function sortBy<T>(values: T[], ...options: any[]): T[]
export function orderBy<T>(values: T[], ...options: any[]): T[]
export function uniqBy<T>(values: T[], ...options: any[]): T[]
export function compact<T>(values: T[]): T[]
