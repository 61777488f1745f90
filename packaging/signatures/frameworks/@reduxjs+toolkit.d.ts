// Read from Redux Toolkit 2.
export function createSlice<T>(options: { reducers: T }): { actions: T }
