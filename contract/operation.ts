import * as z from 'zod/mini';

/** The state of the backups, the disk and the warnings by mail, each as sentences for admins. */
export const operation = z.object({
  lines: z.array(z.object({ subject: z.string(), text: z.string(), isWell: z.boolean() })),
});
export type Operation = z.infer<typeof operation>;
