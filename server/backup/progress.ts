/**
 * Shows how far a command is.
 * @param all undefined if the number of all is not known yet
 * @param counted what is counted, unless it is files
 */
export type ShowProgress = (done: number, all: number | undefined, counted?: string) => void;
