import * as z from 'zod/mini';

const state = z.object({ saved: z.string() });

/** The navigation state with the id of a saved activity. The list scrolls to this activity and focuses it. */
export const listState = ({ id }: { id: string }): z.infer<typeof state> => ({ saved: id });

/** Reads the id of the saved activity from the navigation state. */
export const savedIn = (carried: unknown): string | undefined => state.safeParse(carried).data?.saved;
