import * as z from 'zod/mini';

const state = z.object({ saved: z.string() });

/** What a navigation to a list carries: the activity to bring into view there. */
export const listState = ({ id }: { id: string }): z.infer<typeof state> => ({ saved: id });

/** The id of that activity, if any. */
export const savedIn = (carried: unknown): string | undefined => state.safeParse(carried).data?.saved;
