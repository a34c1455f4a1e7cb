import { CloudUpload, RefreshCw, Trash2 } from 'lucide-react';
import { type FocusEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { FileKind } from '#contract/storage.ts';
import { Button, buttonClassNames } from '../button.tsx';
import { FieldError } from '../form/field.tsx';
import { SignInAgain } from '../form/sign-in-again.tsx';
import { Pause, Play } from '../media/media-icons.tsx';
import { useToast } from '../toast.tsx';
import { DropZone } from './drop-zone.tsx';
import { readablePicture } from './shrink-photo.ts';
import styles from './upload-field.module.css';
import { hintOf, refusalOf, uploadKinds, useSizeLimit } from './upload-kinds.ts';
import { ChosenFile } from './upload-preview.tsx';
import { UploadProgress } from './upload-progress.tsx';

import { type UploadStage, useUpload } from './use-upload.ts';

type UploadFieldProps = {
  label: string;
  kind: FileKind;
  /** The file's folder on the server; `undefined` while it depends on a field that is not filled in yet. */
  folder: string | undefined;
  /** A sentence that tells the user what to do so that the folder becomes known. */
  beforeFolder?: string;
  /** The URL of the stored file; empty when there is none. */
  value: string;
  /** True if the user can replace the file but not remove it. */
  required?: boolean;
  onUploaded: (url: string) => Promise<void> | void;
  onRemove: () => void;
  /** Called with true when the user has chosen a file, and with false when it is stored or cancelled. */
  onBusy?: (busy: boolean) => void;
  /** The toast for the user when the file is stored. */
  done: ReactNode;
  /** Shows the stored file, or that there is none. */
  children: ReactNode;
};

/** A file field. It uploads a chosen or dropped file as soon as the file's folder is known. */
export function UploadField({
  label,
  kind,
  folder,
  beforeFolder,
  value,
  required = false,
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
  const [signingIn, setSigningIn] = useState(false);
  const { stage, cancel, ...upload } = useUpload({
    folder,
    async onUploaded(url) {
      await onUploaded(url);
      notify(done);
    },
  });
  const busy = stage.name !== 'idle';
  // Show only one error: the refusal of the last chosen file, or the failure of the upload.
  const failure = refusal || (stage.name === 'failed' && stage.message);
  const keepFocus = useKeptFocus(group, `${stage.name} ${value}`);

  useEffect(() => onBusy?.(busy), [busy, onBusy]);
  useEffect(() => setSigningIn(stage.name === 'failed' && stage.signedOut), [stage]);
  useEffect(() => {
    if (stage.name !== 'failed' || !stage.refused) return;
    // The server would refuse the same file again, so ask for another one.
    setRefusal(stage.message);
    cancel();
  });

  async function take(chosen: File | undefined) {
    if (!chosen) return;
    const file = kind === 'audio' ? chosen : await readablePicture(chosen, kind, maxBytes);
    const reason = await refusalOf(file, kind, maxBytes);
    setRefusal(reason);
    if (!reason) upload.choose(file);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a grid.
    <div ref={group} className={styles.field} role="group" aria-labelledby={`${id}-label`} {...keepFocus}>
      <p className={styles.label} id={`${id}-label`}>
        <span>{label}</span>{' '}
        {kind !== 'profile-picture' && !required && <span className={styles.optional}>(opcional)</span>}
      </p>
      <p className={styles.hint} id={`${id}-hint`}>
        {hintOf(kind, maxBytes)}
      </p>
      {/* Keep the empty element: screen readers announce text only in a live region that already exists. */}
      <p className="visually-hidden" role="status">
        {announcementOf(stage, label, beforeFolder)}
      </p>
      <DropZone kind={kind} onFile={(file) => void take(file)}>
        {stage.name === 'idle' ? children : <ChosenFile file={stage.file} kind={kind} />}
        {(stage.name === 'running' || stage.name === 'paused') && (
          <UploadProgress {...stage} bytes={stage.file.size} label={label} />
        )}
        {stage.name === 'waiting' && <p className={styles.text}>{beforeFolder}</p>}
        {/* The key creates a new element for each message, so that screen readers announce the message. */}
        {failure && <FieldError key={failure} error={failure} role="alert" />}
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
            // Use one button element for pausing and continuing, so that the button keeps the focus.
            <Button
              variant="quiet"
              size="small"
              onClick={stage.name === 'paused' ? upload.resume : upload.pause}
            >
              {stage.name === 'paused' ? <Play /> : <Pause />}
              <span>{stage.name === 'paused' ? 'Continuar' : 'Pausar'}</span>
            </Button>
          )}
          {busy && (
            <Button
              variant="quiet"
              size="small"
              onClick={() => {
                setRefusal('');
                cancel();
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
              <label
                className={buttonClassNames({ variant: 'quiet', size: 'small' }, styles.choose)}
                htmlFor={id}
              >
                <CloudUpload /> <span>{value ? 'Trocar' : 'Escolher arquivo'}</span>
                <span className="visually-hidden">{`: ${label}`}</span>
              </label>
              {value && !required ? (
                <Button variant="quiet" size="small" onClick={onRemove}>
                  <Trash2 /> Remover<span className="visually-hidden">{`: ${label}`}</span>
                </Button>
              ) : (
                <span className={styles.orDrop}>ou solte aqui</span>
              )}
            </>
          )}
        </div>
      </DropZone>
      {signingIn &&
        createPortal(
          // React events bubble out of a portal. Without this, a submit of this form would also submit the
          // page's form.
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

/** Screen readers announce the progress in steps of this many percent. */
const announcedPercent = 25;

/** The text for screen readers. Failures and the end have their own announcements. */
function announcementOf(stage: UploadStage, label: string, beforeFolder: string | undefined): string {
  if (stage.name === 'waiting') return beforeFolder ?? '';
  if (stage.name === 'paused') return `${label}: envio pausado.`;
  if (stage.name !== 'running') return '';
  const step = Math.floor(stage.percent / announcedPercent) * announcedPercent;
  return step === 0 ? `${label}: envio começou.` : `${label}: ${step}% enviado.`;
}

/**
 * Keeps the focus in a group of controls. When a change of `state` removes the focused control, the focus
 * moves to the file input, or to the first button if no file input is visible.
 * @returns props for the group's element
 */
function useKeptFocus(group: RefObject<HTMLElement | null>, state: string) {
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
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      // If `relatedTarget` is null, the control was removed, or the user pressed an element that takes no
      // focus. The group then still counts as focused.
      if (relatedTarget && !currentTarget.contains(relatedTarget)) inside.current = false;
    },
  };
}
