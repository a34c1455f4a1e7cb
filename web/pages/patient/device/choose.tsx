import { ClientError } from '#client/client-error.ts';
import { describedBy, FieldError } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { Choice } from '#web/components/form/radio-group.tsx';
import { useFormState } from '#web/components/form/use-form-state.ts';
import { prepareDevice } from '#web/offline/device.ts';
import { canKeepKey } from '#web/offline/store.ts';
import styles from '../device.module.css';

const onlyOnline =
  'Aqui o diário funciona só com internet. Este navegador não guarda a chave que protege as suas anotações; em janelas anônimas é assim. Nada foi guardado.';

/** Says what the device would keep, and lets the user choose it. */
export function ChooseDevice({ uid, onChosen }: { uid: string; onChosen: () => Promise<void> }) {
  const form = useFormState({
    initial: { own: '' },
    check: () => undefined,
    parse: ({ own }) =>
      own ? { input: undefined } : { errors: { own: 'Marque que este aparelho é só seu.' } },
    submit: async () => {
      if (!(await canKeepKey())) throw new ClientError('client/unreadable', onlyOnline);
      try {
        await prepareDevice(uid);
      } catch (cause) {
        throw new ClientError('client/unreadable', reasonOf(cause), { cause });
      }
      await onChosen();
    },
  });
  const { id, name, value, error, onValue } = form.field('own');
  return (
    <section className={styles.section} aria-labelledby="usar">
      <h2 id="usar">Usar sem internet</h2>
      <div className={styles.columns}>
        <div>
          <h3>Fica guardado aqui</h3>
          <ul className={styles.list}>
            <li>As práticas para a noite, com as imagens e os telefones 188 e 192.</li>
            <li>As práticas que você abrir, e os áudios que você mandar guardar.</li>
            <li>O que você anotar no diário, cifrado, até chegar ao site.</li>
          </ul>
        </div>
        <div>
          <h3>Nunca fica aqui</h3>
          <ul className={styles.list}>
            <li>O que já está no seu diário. Para ler o que passou, é preciso internet.</li>
            <li>A sua senha.</li>
          </ul>
        </div>
      </div>
      <p>
        Quem abrir este aparelho pode ver que você usa este site. Ao sair da sua conta, tudo é apagado daqui.
      </p>
      <OneButtonForm form={form} submit="Usar sem internet neste aparelho" working="Guardando…">
        <div>
          <Choice
            type="checkbox"
            id={id}
            name={name}
            required
            checked={value !== ''}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy(id, { error })}
            onChange={({ target }) => onValue(target.checked ? 'on' : '')}
          >
            <span>Este aparelho é só meu.</span>
          </Choice>
          <FieldError id={id} error={error} />
        </div>
      </OneButtonForm>
    </section>
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return 'Não há espaço neste aparelho. Nada foi guardado.';
  return 'Não deu para guardar agora. Pode ser a sua internet, falta de espaço no aparelho ou um problema nosso. Nada foi guardado.';
}
