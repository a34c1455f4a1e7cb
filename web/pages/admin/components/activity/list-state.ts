import * as z from 'zod/mini';

const state = z.object({ saved: z.string() });

/** The state of a navigation to a list: the activity to scroll to. */
export const listState = ({ id }: { id: string }): z.infer<typeof state> => ({ saved: id });

/** Reads the id of that activity, if any. */
export const savedIn = (carried: unknown): string | undefined => state.safeParse(carried).data?.saved;
