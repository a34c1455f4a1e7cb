import { useRef, useState } from 'react';
import type { Reminder } from '#contract/reminder.ts';
import { client } from '#web/app/client.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { calendarDay, dateAndTime, dayAndWeekday } from '#web/components/date-and-time.ts';
import { controlProps, FieldLayout } from '#web/components/form/field.tsx';
import { CheckboxGroup } from '#web/components/form/radio-group.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { calendarFile } from './calendar.ts';
import styles from './reminder.module.css';

/** The values are those of JavaScript's `Date.getDay()`. */
const days = [
  ...(['1', '2', '3', '4', '5'] as const).map(
    (value, place) => [value, ['segunda', 'terça', 'quarta', 'quinta', 'sexta'][place] ?? ''] as const,
  ),
  ['6', 'sábado'] as const,
  ['0', 'domingo'] as const,
];
const workdays = ['1', '2', '3', '4', '5'];

const hours = Array.from({ length: 24 }, (_, hour) => hour);

const stops = {
  unvisited: 'O lembrete parou sozinho, porque você ficou quatro semanas sem passar por aqui.',
  refused: 'O lembrete parou, porque o seu e-mail recusou a mensagem.',
  restored: 'O lembrete foi desligado quando o site foi recuperado de uma cópia de segurança.',
};

/** Turns the reminder on and off, and shows the whole sender before. */
export function ReminderForm({ uid, first }: { uid: string; first: Reminder }) {
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const notify = useToast();
  const [reminder, setReminder] = useState(first);
  const [weekdays, setWeekdays] = useState(() => first.times?.weekdays.map(String) ?? workdays);
  const [hour, setHour] = useState(String(first.times?.hour ?? 8));
  const [missing, setMissing] = useState(false);
  const state = useRef<HTMLDivElement>(null);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { on, times, sender, email, emailVerified } = reminder;
  const chosen = { weekdays: weekdays.map(Number), hour: Number(hour) };
  const error = missing && weekdays.length === 0 ? 'Escolha pelo menos um dia.' : undefined;

  /** Moves the focus to the first day if none is chosen. */
  function isComplete() {
    setMissing(true);
    if (weekdays.length > 0) return true;
    document.getElementById('lembrete-dias')?.focus();
    return false;
  }

  const save = (next: boolean) =>
    run(async () => {
      // To turn it off, the form needs no days.
      const body = next || !times ? { ...chosen, zone } : times;
      setReminder(await withSession(async () => (await client.reminder()).change({ ...body, on: next })));
      state.current?.focus();
    });

  const test = () =>
    run(async () => {
      await withSession(async () => (await client.reminder()).sendTest());
      notify(`Teste enviado para ${email}.`);
    });

  function download() {
    if (!isComplete()) return;
    const file = new Blob([calendarFile({ uid, ...chosen })], { type: 'text/calendar' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = 'lembrete.ics';
    // Not revoked: Safari and Firefox may read the URL only after the click.
    link.click();
  }

  return (
    <>
      <div ref={state} className={styles.state} tabIndex={-1} role="status">
        <p>
          <strong>{on ? 'O lembrete está ligado.' : 'O lembrete está desligado.'}</strong>
        </p>
        {reminder.stoppedBy && <p>{stops[reminder.stoppedBy]}</p>}
        {reminder.nextAt !== null && <p>{`O próximo pode chegar em ${nextTime(reminder.nextAt)}.`}</p>}
        {reminder.sentAt !== null && (
          <p className={styles.quiet}>{`Último lembrete enviado em ${dateAndTime(reminder.sentAt)}.`}</p>
        )}
      </div>
      <section className={styles.section} aria-labelledby="lembrete-email">
        <h2 id="lembrete-email">Como ele chega</h2>
        <p>
          A mensagem não fala de práticas, nem de saúde, nem de quem atende você. O endereço de quem envia não
          dá para esconder: confira se tudo bem ele aparecer na sua caixa de entrada.
        </p>
        <dl className={styles.mail}>
          <div>
            <dt>De</dt>
            <dd translate="no">{`${sender.name} <${sender.address}>`}</dd>
          </div>
          <div>
            <dt>Para</dt>
            <dd translate="no">{email}</dd>
          </div>
          <div>
            <dt>Assunto</dt>
            <dd>Um lembrete que você pediu</dd>
          </div>
        </dl>
        {emailVerified ? (
          <p>
            <Button variant="quiet" size="small" aria-disabled={pending || undefined} onClick={test}>
              Enviar um teste
            </Button>
          </p>
        ) : (
          <>
            <p>Para ligar o lembrete, confirme antes que este e-mail é seu.</p>
            <p>
              <ButtonLink to="/account" variant="quiet" size="small">
                Confirmar em Minha conta
              </ButtonLink>
            </p>
          </>
        )}
      </section>
      <section className={styles.section} aria-labelledby="lembrete-quando">
        <h2 id="lembrete-quando">Quando</h2>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isComplete()) save(true);
          }}
        >
          <CheckboxGroup
            id="lembrete-dias"
            legend="Dias"
            hint="No máximo um por dia, e só se houver algo em aberto na sua semana."
            options={days}
            values={weekdays}
            onValues={setWeekdays}
            error={error}
          />
          <HourField value={hour} onValue={setHour} zone={zone} />
          {on && times && times.zone !== zone && (
            <p className={styles.quiet}>
              {`Agora ele segue o relógio de ${times.zone}. Ao salvar, passa a seguir o deste aparelho.`}
            </p>
          )}
          <FormMessage {...failure} />
          <div className={styles.actions}>
            {emailVerified && (
              <Button type="submit" aria-disabled={pending || undefined}>
                {pending ? 'Um momento…' : on ? 'Salvar' : 'Ligar o lembrete'}
              </Button>
            )}
            {on && (
              <Button variant="quiet" aria-disabled={pending || undefined} onClick={() => save(false)}>
                Desligar
              </Button>
            )}
          </div>
        </form>
      </section>
      <section className={styles.section} aria-labelledby="lembrete-calendario">
        <h2 id="lembrete-calendario">No seu calendário</h2>
        <p>
          Se preferir, leve os mesmos dias e a mesma hora para o calendário do seu aparelho. O título é só “Um
          lembrete”, e o arquivo é feito aqui, sem passar pelo site.
        </p>
        <p>
          <Button variant="quiet" size="small" onClick={download}>
            Baixar para o calendário
          </Button>
        </p>
      </section>
      {signInAgain}
    </>
  );
}

function HourField({
  value,
  onValue,
  zone,
}: {
  value: string;
  onValue: (value: string) => void;
  zone: string;
}) {
  const field = {
    ...{ id: 'lembrete-hora', name: 'hour', value, error: undefined, onValue, onLeave: () => {} },
    ...{ label: 'Hora', hint: `Pelo relógio deste aparelho (${zone}).` },
  };
  return (
    <FieldLayout
      {...field}
      input={
        <select {...controlProps(field)}>
          {hours.map((hour) => (
            <option key={hour} value={hour}>{`${hour}h`}</option>
          ))}
        </select>
      }
    />
  );
}

/** Such as `sexta-feira, 27 de novembro, às 8h`. */
function nextTime(at: number): string {
  const date = new Date(at);
  const minutes = date.getMinutes() === 0 ? '' : String(date.getMinutes()).padStart(2, '0');
  return `${dayAndWeekday(calendarDay(date))}, às ${date.getHours()}h${minutes}`;
}
