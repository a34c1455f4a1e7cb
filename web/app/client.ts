import { createClient } from '#client/client.ts';
import { loadChunk } from '#client/load-chunk.ts';
import { fetchInTime } from './fetch-in-time.ts';
import { origins } from './origins.ts';
import { solveInWorker } from './solve-in-worker.ts';

/** The client of the back end. */
export const client = createClient({
  ...origins,
  fetch: fetchInTime,
  solve: solveInWorker,
  loadUploadDevice: () =>
    loadChunk('upload-device', async () => (await import('./upload-device.ts')).uploadDevice),
});
