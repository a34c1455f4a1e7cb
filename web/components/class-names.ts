/** Joins class names and skips the false and undefined ones. */
export const classNames = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ');
