/** The part of Papa Parse that the import uses. */
declare module 'papaparse' {
  type Config = { delimiter: string; newline: '\n' };
  type Result = {
    data: string[][];
    /** `row` is the place in `data`. With one delimiter given, the only errors are wrong quotes. */
    errors: { type: 'Quotes' | 'Delimiter' | 'FieldMismatch'; row?: number }[];
  };
  const Papa: { parse(text: string, config: Config): Result };
  export default Papa;
}
