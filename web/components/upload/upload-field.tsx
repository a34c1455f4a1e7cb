import { CloudUpload, FileAudio, RefreshCw, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { FileKind } from '#contract/storage.ts';
import { Button } from '../button.tsx';
import { SignInAgain } from '../form/sign-in-again.tsx';
import { CircleAlert, Pause, Play } from '../icons.tsx';
import { useToast } from '../toast.tsx';
import { sizeInWords } from './file-size.ts';
import { shrinkPhoto } from './shrink-photo.ts';
import styles from './upload-field.module.css';
import { hintOf, refusalOf, uploadKinds, useSizeLimit } from './upload-kinds.ts';
import { PendingPicture } from './upload-preview.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { type UploadStage, useUpload } from './use-upload.ts';

type UploadFieldProps = {
  label: string;
  kind: FileKind;
  /** Where the file goes on the server; `undefined` while the form does not know yet. */
  folder: string | undefined;
  /** What has to be done before there is a folder, as a sentence. */
  beforeFolder?: string;
  /** The address of the stored file; empty when there is none. */
  value: string;
  onUploaded: (url: string) => Promise<void> | void;
  onRemove: () => void;
  /** Whether a file is chosen and not stored yet. */
  onBusy?: (busy: boolean) => void;
  /** What the person is told when the file is stored. */
  done: string;
  /** What there is now: the stored file, or its absence. */
  children: ReactNode;
};

/** A file of a form: chosen or dropped, sent at once, shown, replaced and removed. */
export function UploadField({
  label,
  kind,
  folder,
  beforeFolder,
  value,
  onUploaded,
  onRemove,
  onBusy,
  done,
  children,
}: UploadFieldProps) {
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const notify = useToast();
  const maxBytes = useSizeLimit(kind);
  const [refusal, setRefusal] = useState('');
  const [over, setOver] = useState(false);
  const [signingIn, setSigningIn] = useState(false);
  const { stage, ...upload } = useUpload({
    folder,
    async onUploaded(url) {
      await onUploaded(url);
      notify(done);
    },
  });
  const busy = stage.name !== 'idle';
  const keepFocus = useKeptFocus(group, `${stage.name} ${value}`);

  useEffect(() => onBusy?.(busy), [busy, onBusy]);
  useEffect(() => setSigningIn(stage.name === 'failed' && stage.signedOut), [stage]);

  useEffect(() => {
    // A file that falls beside the field must not take the place of the page.
    const hold = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', hold);
    window.addEventListener('drop', hold);
    return () => {
      window.removeEventListener('dragover', hold);
      window.removeEventListener('drop', hold);
    };
  }, []);

  async function take(chosen: File | undefined) {
    if (!chosen) return;
    const file = kind === 'profile-picture' ? await shrinkPhoto(chosen, maxBytes) : chosen;
    const reason = refusalOf(file, kind, maxBytes) ?? '';
    setRefusal(reason);
    if (!reason) upload.choose(file);
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere.
    <div ref={group} className={styles.field} role="group" aria-labelledby={`${id}-label`} {...keepFocus}>
      <p className={styles.label} id={`${id}-label`}>
        {label} {kind !== 'profile-picture' && <span>(opcional)</span>}
      </p>
      <p className={styles.hint} id={`${id}-hint`}>
        {hintOf(kind, maxBytes)}
      </p>
      {/* Always there: a live region is only announced when it existed before its words. */}
      <p className="visually-hidden" role="status">
        {announcementOf(stage, label, beforeFolder)}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file chooser in it does the same by keyboard. */}
      <div
        className={styles.zone}
        data-over={over ? '' : undefined}
        data-kind={kind}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        {stage.name === 'idle' ? children : <Chosen file={stage.file} kind={kind} />}
        {(stage.name === 'running' || stage.name === 'paused') && <UploadProgress {...stage} label={label} />}
        {stage.name === 'waiting' && <p className={styles.words}>{beforeFolder}</p>}
        {/* Of two complaints only the last one is shown. */}
        {stage.name === 'failed' && !refusal && (
          <p className={styles.failure} role="alert">
            <CircleAlert /> {stage.message}
          </p>
        )}
        {refusal && (
          <p className={styles.failure} role="alert">
            <CircleAlert /> {refusal}
          </p>
        )}
        <div className={styles.actions}>
          {stage.name === 'failed' && (
            <Button
              size="small"
              onClick={() => {
                setRefusal('');
                if (stage.signedOut) setSigningIn(true);
                else void upload.retry();
              }}
            >
              <RefreshCw /> Tentar de novo
            </Button>
          )}
          {(stage.name === 'running' || stage.name === 'paused') && (
            // One button, so that the focus stays on it.
            <Button size="small" onClick={stage.name === 'paused' ? upload.resume : upload.pause}>
              {stage.name === 'paused' ? <Play /> : <Pause />}
              {stage.name === 'paused' ? 'Continuar' : 'Pausar'}
            </Button>
          )}
          {busy && (
            <Button
              variant="quiet"
              size="small"
              onClick={() => {
                setRefusal('');
                upload.cancel();
              }}
            >
              Cancelar
            </Button>
          )}
          <input
            id={id}
            className={styles.input}
            type="file"
            accept={uploadKinds[kind].accept}
            aria-describedby={`${id}-hint`}
            hidden={busy}
            onChange={(event) => {
              void take(event.target.files?.[0]);
              // The same file can be chosen again.
              event.target.value = '';
            }}
          />
          {!busy && (
            <>
              <label className={styles.choose} htmlFor={id}>
                <CloudUpload /> {value ? 'Trocar' : 'Escolher arquivo'}
                <span className="visually-hidden">: {label}</span>
              </label>
              {value ? (
                <Button variant="quiet" size="small" onClick={onRemove}>
                  <Trash2 /> Remover<span className="visually-hidden">: {label}</span>
                </Button>
              ) : (
                <span className={styles.orDrop}>ou solte aqui</span>
              )}
            </>
          )}
        </div>
      </div>
      {signingIn &&
        createPortal(
          // A form inside the page's form would submit both.
          <div onSubmit={(event) => event.stopPropagation()}>
            <SignInAgain
              onDone={() => {
                setSigningIn(false);
                void upload.retry();
              }}
              onCancel={() => setSigningIn(false)}
            />
          </div>,
          document.body,
        )}
    </div>
  );
}

function Chosen({ file, kind }: { file: File; kind: FileKind }) {
  return (
    <div className={styles.chosen}>
      {kind === 'audio' ? (
        <FileAudio className={styles.sound} />
      ) : (
        <PendingPicture file={file} round={kind === 'profile-picture'} />
      )}
      <p className={styles.words}>
        <strong>{file.name}</strong>
        <span>{sizeInWords(file.size)}</span>
      </p>
    </div>
  );
}

/** Steps in which progress is announced: each percent would be noise. */
const announcedPercent = 25;

/** What a screen reader says of the upload; failures and the end are announced where they are shown. */
function announcementOf(stage: UploadStage, label: string, beforeFolder: string | undefined): string {
  if (stage.name === 'waiting') return beforeFolder ?? '';
  if (stage.name === 'paused') return `${label}: envio pausado.`;
  if (stage.name !== 'running') return '';
  const step = Math.floor(stage.percent / announcedPercent) * announcedPercent;
  return step === 0 ? `${label}: envio começou.` : `${label}: ${step}% enviado.`;
}

/** Keeps the focus in `group` when a control that had it goes away with the state it belonged to. */
function useKeptFocus(group: { current: HTMLElement | null }, state: string) {
  const inside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of state that takes controls away.
  useEffect(() => {
    const active = document.activeElement;
    // What has just been hidden still has the focus, until the page is drawn.
    const lost = active === document.body || (active instanceof HTMLElement && active.hidden);
    if (!inside.current || !lost) return;
    const find = (selector: string) => group.current?.querySelector<HTMLElement>(selector);
    (find('input[type="file"]:not([hidden])') ?? find('button'))?.focus({ preventScroll: true });
  }, [state, group]);
  return {
    onFocus: () => {
      inside.current = true;
    },
    onBlur: ({ relatedTarget, currentTarget }: { relatedTarget: Element | null; currentTarget: Element }) => {
      // Without a target it is the control itself that went, or a press on nothing.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) inside.current = false;
    },
  };
}
