/**
 * Shows how far a command has come.
 * @param all the total; undefined if it is not known yet
 * @param counted what is counted; by default files
 */
export type ShowProgress = (done: number, all: number | undefined, counted?: string) => void;
