import { useEffect, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import { sentenceOf, sentenceOfDelay } from '#client/storage/sentences.ts';
import { StorageError } from '#client/storage/storage-error.ts';
import type { UploadSnapshot, UploadTask } from '#client/storage/upload-task.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { client } from '#web/app/client.ts';
import { isCodeMissing, reloadIfReplaced, reloadPage } from '#web/app/reload-after-deploy.ts';

export type UploadStage =
  | { name: 'idle' }
  /** A file is chosen, but `folder` is still undefined. */
  | { name: 'waiting'; file: File }
  | { name: 'running' | 'paused'; file: File; percent: number; delay: string | undefined }
  | {
      name: 'failed';
      file: File;
      message: string;
      signedOut: boolean;
      /** True if the server refuses this file. Another attempt with the same file cannot succeed. */
      refused?: boolean;
      codeMissing?: boolean;
    };

type UploadOptions = {
  /** The file's folder. While the folder is `undefined`, the upload does not start. */
  folder: string | undefined;
  /** Called when the file is stored and readable at `url`. */
  onUploaded: (url: string) => Promise<void> | void;
};

type Started = { file: File; task?: UploadTask; storedPath?: string };

/** Uploads one file. Leaving the page pauses the upload; choosing the same file again continues it. */
export function useUpload({ folder, onUploaded }: UploadOptions) {
  const [stage, setStage] = useState<UploadStage>({ name: 'idle' });
  const started = useRef<Started>(undefined);

  useEffect(() => {
    if (stage.name === 'waiting' && folder !== undefined) void start(stage.file, folder);
  });
  useEffect(
    () => () => {
      started.current?.task?.pause();
      started.current = undefined;
    },
    [],
  );

  useEffect(() => {
    // Load the code before the user chooses a file, because a later deploy can remove it from the server.
    client.storage().catch(() => {});
  }, []);

  function begin(file: File) {
    if (folder === undefined) setStage({ name: 'waiting', file });
    else void start(file, folder);
  }

  async function start(file: File, to: string) {
    const mine: Started = { ...(started.current?.file === file && started.current), file };
    started.current = mine;
    const isMine = () => started.current === mine;
    setStage({ name: 'running', file, percent: 0, delay: undefined });
    try {
      const storage = await client.storage();
      if (!isMine()) return;
      if (mine.storedPath === undefined) {
        const task = storage.upload(storage.choosePath(to, file), file);
        mine.task = task;
        follow(task, file, isMine);
        await task;
        mine.storedPath = task.path;
      }
      const url = await storage.getDownloadUrl(mine.storedPath);
      if (!isMine()) return;
      await onUploaded(url);
      if (!isMine()) return;
      started.current = undefined;
      setStage({ name: 'idle' });
    } catch (error) {
      if (isMine()) fail(file, error);
    }
  }

  function follow(task: UploadTask, file: File, isMine: () => boolean) {
    const show = ({ state, bytesTransferred, totalBytes }: UploadSnapshot, delay?: string) => {
      if (!isMine() || (state !== 'running' && state !== 'paused')) return;
      setStage({ name: state, file, percent: percentOf(bytesTransferred, totalBytes), delay });
    };
    task.observe({
      next: (snapshot) => show(snapshot),
      delay: (error) => show(task.snapshot, sentenceOfDelay(error)),
    });
  }

  function fail(file: File, error: unknown) {
    if (error instanceof StorageError && !isCodeMissing(error.cause)) {
      console.error(`storage/${error.code}`, error.message, error.serverCode ?? '');
      const signedOut = error.code === 'unauthenticated';
      const refused = error.serverCode !== undefined && refusals.has(error.serverCode);
      setStage({ name: 'failed', file, message: sentenceOf(error), signedOut, refused });
    } else {
      console.error(error);
      const shown = error instanceof StorageError ? error.cause : error;
      const message = shown instanceof ClientError ? shown.message : failure;
      setStage({ name: 'failed', file, message, signedOut: false, codeMissing: isCodeMissing(shown) });
    }
  }

  return {
    stage,
    choose(file: File) {
      drop();
      begin(file);
    },
    pause: () => void started.current?.task?.pause(),
    resume: () => void started.current?.task?.resume(),
    async retry() {
      if (stage.name !== 'failed') return;
      if (!stage.codeMissing) begin(stage.file);
      else if (!(await reloadIfReplaced())) reloadPage();
    },
    cancel() {
      drop();
      setStage({ name: 'idle' });
    },
  };

  /** Ends the current upload and removes it from the server. */
  function drop() {
    const { task, file } = started.current ?? {};
    started.current = undefined;
    if (!task || !file || task.cancel()) return;
    // A paused task must resume before it can be cancelled. A failed upload must be discarded, because
    // choosing the same file again would continue it.
    if (task.resume()) task.cancel();
    else void discard(task.path, file);
  }

  async function discard(path: string, file: File) {
    try {
      await (await client.storage()).discard(path, file);
    } catch (error) {
      console.info('The upload was not removed; the server will remove it later.', error);
    }
  }
}

/** Error codes with which the server refuses the file itself. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  'request/too-large',
  'request/unsupported-type',
  'storage/incomplete-file',
  'storage/invalid-argument',
]);

const failure = 'O arquivo não pôde ser enviado. Tente de novo em instantes.';

/** Rounds down, so that 100 means that all bytes are sent. */
const percentOf = (bytes: number, total: number) => (total === 0 ? 0 : Math.floor((bytes / total) * 100));
