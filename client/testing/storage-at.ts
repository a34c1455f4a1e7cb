import { appCheckHeader } from '#contract/app-check.ts';
import { createSend } from '../http.ts';
import { createPlainDevice } from '../storage/device.ts';
import { createStorageClient, type StorageClientOptions } from '../storage/storage.ts';
import type { ScriptedServer } from './scripted-server.ts';

/** A client of a scripted server. Its app-check tokens are numbered. */
export function storageAt({ url }: ScriptedServer, options: Partial<StorageClientOptions> = {}) {
  let tokens = 0;
  return createStorageClient({
    baseUrl: url,
    device: createPlainDevice(fetch),
    sendAuth: createSend(url, fetch),
    async appCheck() {
      tokens += 1;
      return { [appCheckHeader]: `check-${tokens}` };
    },
    ...options,
  });
}
