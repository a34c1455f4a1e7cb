/** The part of Papa Parse that the import uses. */
declare module 'papaparse' {
  type Config = { delimiter: string; newline: '\n' };
  type Result = {
    data: string[][];
    /** `row` is an index of `data`. With a given delimiter, Papa Parse reports only errors in quotes. */
    errors: { type: 'Quotes' | 'Delimiter' | 'FieldMismatch'; row?: number }[];
  };
  const Papa: {
    parse(text: string, config: Config): Result;
    unparse(records: string[][], config: Config): string;
  };
  export default Papa;
}
