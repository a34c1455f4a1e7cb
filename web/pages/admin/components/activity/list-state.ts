import * as z from 'zod/mini';

const state = z.object({ saved: z.string() });

/** The state of a navigation to a list: the saved activity, which the list scrolls to and focuses. */
export const listState = ({ id }: { id: string }): z.infer<typeof state> => ({ saved: id });

/** Reads the id of the saved activity from the navigation state. */
export const savedIn = (carried: unknown): string | undefined => state.safeParse(carried).data?.saved;
