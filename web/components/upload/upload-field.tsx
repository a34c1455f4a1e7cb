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
  /** The file's folder on the server; `undefined` while the form does not know it. */
  folder: string | undefined;
  /** A sentence that says what is needed before the folder is known. */
  beforeFolder?: string;
  /** The address of the stored file; empty when there is none. */
  value: string;
  onUploaded: (url: string) => Promise<void> | void;
  onRemove: () => void;
  /** Called with true while a chosen file is not stored yet. */
  onBusy?: (busy: boolean) => void;
  /** The notice for the user when the file is stored. */
  done: string;
  /** Shows the stored file, or that there is none. */
  children: ReactNode;
};

/** A file field: the user chooses or drops a file; it uploads immediately and can be replaced or removed. */
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
    // A file that is dropped beside the field must not open in place of the page.
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
    // biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a grid.
    <div ref={group} className={styles.field} role="group" aria-labelledby={`${id}-label`} {...keepFocus}>
      <p className={styles.label} id={`${id}-label`}>
        {label} {kind !== 'profile-picture' && <span>(opcional)</span>}
      </p>
      <p className={styles.hint} id={`${id}-hint`}>
        {hintOf(kind, maxBytes)}
      </p>
      {/* Keep the empty element: a live region announces its text only if it exists before. */}
      <p className="visually-hidden" role="status">
        {announcementOf(stage, label, beforeFolder)}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keyboard users use the file input inside it. */}
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
        {/* Of two errors, show only the last one. */}
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
            // One button for both, so that it keeps the focus.
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
              // Without this, choosing the same file again fires no event.
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
          // React events bubble from this form to the page's form, which would submit too.
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

/** The steps of progress, in percent, that screen readers announce. Every percent would be too much. */
const announcedPercent = 25;

/** The text for screen readers. Failures and the end have their own announcements. */
function announcementOf(stage: UploadStage, label: string, beforeFolder: string | undefined): string {
  if (stage.name === 'waiting') return beforeFolder ?? '';
  if (stage.name === 'paused') return `${label}: envio pausado.`;
  if (stage.name !== 'running') return '';
  const step = Math.floor(stage.percent / announcedPercent) * announcedPercent;
  return step === 0 ? `${label}: envio começou.` : `${label}: ${step}% enviado.`;
}

/** Keeps the focus in `group` when a change of state removes the focused control. */
function useKeptFocus(group: { current: HTMLElement | null }, state: string) {
  const inside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: controls disappear when the state changes.
  useEffect(() => {
    const active = document.activeElement;
    // A control that has just been hidden keeps the focus until the next paint.
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
      // Without a related target, the control was removed, or the user pressed an element that takes no
      // focus.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) inside.current = false;
    },
  };
}
