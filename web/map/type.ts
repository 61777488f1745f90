/** The type of the map, for a canvas. The same families as in shared/theme.css. */
export const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Charter, Georgia, "Liberation Serif", serif';
export const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", sans-serif';
