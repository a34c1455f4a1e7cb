/** The part of Papa Parse that the import uses. */
declare module 'papaparse' {
  type Config = { delimiter: string; newline: '\n' };
  type Result = {
    data: string[][];
    /** `row` is the index in `data`. If the delimiter is given, only wrong quotes are reported as errors. */
    errors: { type: 'Quotes' | 'Delimiter' | 'FieldMismatch'; row?: number }[];
  };
  const Papa: { parse(text: string, config: Config): Result };
  export default Papa;
}
