import { Eye } from 'lucide-react';
import { useId, useState } from 'react';
import { type Activity, isPublic } from '#contract/activity.ts';
import { excerptOf, isCut } from '#contract/practices/excerpt.ts';
import { ownUrlPath } from '#contract/practices/path.ts';
import { useServices } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { PracticeCard } from '#web/components/practice/practice-card.tsx';
import { hasGeneratedPoster } from '#web/components/practice/practice-names.ts';
import { type ActivityValues, enteredFields, fieldLabels } from './activity-values.ts';
import styles from './patient-preview.module.css';

type Device = 'phone' | 'computer';
const deviceNames = { phone: 'Celular', computer: 'Computador' } as const;

/** A button that shows the practice as visitors will see it. It stores and sends nothing. */
export function PatientPreview(form: FormState) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup="dialog"
        aria-label="Ver como paciente"
        onClick={() => setOpen(true)}
      >
        <Eye /> <span className={styles.label}>Ver como paciente</span>
      </Button>
      {open && <PreviewDialog {...form} onClose={() => setOpen(false)} />}
    </>
  );
}

type FormState = {
  /** The saved version; undefined for a new practice. */
  base: Activity | undefined;
  values: ActivityValues;
};

function PreviewDialog({ base, values, onClose }: FormState & { onClose: () => void }) {
  const { origin } = useServices().content.site;
  const [device, setDevice] = useState<Device>('phone');
  const [missingId, wholeId] = [useId(), useId()];
  const { entered, problems } = enteredFields(values);
  const activity = shownActivity(entered, base, origin);
  const excerpt = excerptOf(activity?.content ?? '');

  return (
    <Dialog
      title="Como o paciente vê"
      size="widest"
      onClose={onClose}
      footer={<Button onClick={onClose}>Voltar ao formulário</Button>}
    >
      <div className={styles.preview}>
        {problems.length > 0 && (
          <section className={styles.missing} aria-labelledby={missingId}>
            <h3 id={missingId}>{activity ? 'Antes de salvar, falta' : 'Para ver a prática, falta'}</h3>
            <ul>
              {problems.map(({ field, message }) => (
                <li key={field}>
                  <strong>{`${fieldLabels[field]}:`}</strong> <span>{message}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {activity && (
          <>
            {/* biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a flex box. */}
            <div className={styles.devices} role="group" aria-label="Tamanho da tela">
              {(['phone', 'computer'] as const).map((one) => (
                <Button
                  key={one}
                  variant={device === one ? 'dark' : 'quiet'}
                  size="small"
                  aria-pressed={device === one}
                  onClick={() => setDevice(one)}
                >
                  {deviceNames[one]}
                </Button>
              ))}
            </div>
            {/* Focusable, because the wide preview scrolls sideways in a narrow window. */}
            <section
              className={styles.stage}
              data-device={device}
              aria-label={`A prática em ${device === 'phone' ? 'um celular' : 'um computador'}`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it.
              tabIndex={0}
            >
              <div className={styles.screen}>
                <PracticeCard practice={{ ...activity, excerpt }} turn={undefined} preview />
              </div>
            </section>
            {isCut(excerpt) && (
              <section className={styles.whole} aria-labelledby={wholeId}>
                <h3 id={wholeId}>Na página dela, o texto inteiro</h3>
                <PlainText text={activity.content} />
              </section>
            )}
            <p className={styles.note}>
              {!isPublic(activity) && (
                <span>Por enquanto ela fica fora do site: só a administração vê. </span>
              )}
              {hasGeneratedPoster(activity) && <span>O desenho é um exemplo: no site pode ser outro. </span>}
              <span>Nada disto foi salvo ainda.</span>
            </p>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** The activity that the preview's card shows; `undefined` while it has no title, text or axis. */
function shownActivity(
  { title, content, axis, url, ...rest }: Partial<Activity>,
  base: Activity | undefined,
  origin: string,
): Activity | undefined {
  if (!title || !content || !axis) return undefined;
  const nothing = {
    image: '',
    audio: '',
    minutes: null,
    night: '',
    needs: '',
    visibility: 'public',
  } as const;
  const { id, createdAt, updatedAt } = base ?? { id: 'previa', createdAt: 0, updatedAt: 0 };
  const ownUrl = `${origin}${ownUrlPath}/${id}`;
  return {
    ...{ id, createdAt, updatedAt, title, content, axis, ...nothing, ...rest },
    url: url === undefined || url === origin + ownUrlPath ? ownUrl : url,
    audioSeconds: base && base.audio === rest.audio ? base.audioSeconds : null,
  };
}
