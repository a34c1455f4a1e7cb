import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { ListedUser, Member } from '#contract/user.ts';
import { Button } from '#web/components/button.tsx';
import { dateOnly } from '#web/components/date-and-time.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { ConfirmRole } from './confirm-role.tsx';
import styles from './edit-person.module.css';
import { roleName } from './flags-of.tsx';
import { useSave } from './use-save.ts';

const roles: { member: Member; hint: string }[] = [
  { member: false, hint: 'Tem conta e pratica.' },
  { member: true, hint: 'Vê também a página Pro.' },
  { member: 'admin', hint: 'Cuida das práticas, vê todas as pessoas e muda papéis.' },
];

/** A dialog for a user's role, flags and category; each is saved separately. */
export function EditPerson({
  person,
  onChanged,
  onClose,
}: {
  person: ListedUser;
  onChanged: (user: ListedUser) => void;
  onClose: () => void;
}) {
  const saving = useSave(person, onChanged);
  const { pending, save } = saving;
  return (
    <Dialog title={person.displayName} size="narrow" onClose={onClose}>
      <div className={styles.person}>
        <p className={styles.who}>
          {person.email}
          <br />
          Conta desde {dateOnly(person.createdAt)}
        </p>
        <FormMessage message={saving.message} />
        <Role person={person} pending={pending} save={save} />
        <fieldset className={styles.flags}>
          <legend>Marcas</legend>
          <Flag
            label="Equipe"
            hint="O menu da administração ganha as cores da equipe."
            checked={person.staff}
            onChange={(staff) => save({ staff }, 'Equipe')}
          />
          <Flag
            label="Pesquisa"
            hint="Participa da pesquisa."
            checked={person.research}
            onChange={(research) => save({ research }, 'Pesquisa')}
          />
        </fieldset>
        <Category person={person} pending={pending} save={save} />
        <p className={styles.saved} role="status">
          {saving.saved && (
            <>
              <Check /> {saving.saved}
            </>
          )}
        </p>
      </div>
      {saving.signInAgain}
    </Dialog>
  );
}

type FieldProps = { person: ListedUser; pending: boolean; save: ReturnType<typeof useSave>['save'] };

/** The unsaved choice. It resets when the record changes, in this browser or another. */
function useDraft<Value>(stored: Value) {
  const [draft, setDraft] = useState({ value: stored, of: stored });
  if (draft.of !== stored) setDraft({ value: stored, of: stored });
  return [draft.value, (value: Value) => setDraft({ value, of: stored })] as const;
}

/** Saved by a button, because arrow keys pass through roles that the admin does not want to give. */
function Role({ person, pending, save }: FieldProps) {
  const name = useId();
  const [chosen, setChosen] = useDraft<Member>(person.member);
  const [asking, setAsking] = useState(false);
  const saveChosen = () => void save({ member: chosen }, 'papel');

  function submit() {
    if (pending || chosen === person.member) return;
    if (chosen === 'admin' || person.member === 'admin') setAsking(true);
    else saveChosen();
  }

  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset className={styles.roles}>
        <legend>Papel</legend>
        {roles.map(({ member, hint }) => (
          <label key={String(member)} className={styles.choice}>
            <input type="radio" name={name} checked={chosen === member} onChange={() => setChosen(member)} />
            <span>
              {roleName(member)}
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <Button
        type="submit"
        size="small"
        variant="quiet"
        aria-disabled={pending || chosen === person.member || undefined}
      >
        Salvar papel
      </Button>
      {asking && (
        <ConfirmRole
          person={person}
          next={chosen}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            saveChosen();
          }}
        />
      )}
    </form>
  );
}

function Flag({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => Promise<boolean>;
}) {
  // Show the change immediately; undo it if it cannot be saved.
  const [wanted, setWanted] = useState<boolean>();

  async function change(next: boolean) {
    setWanted(next);
    await onChange(next);
    setWanted(undefined);
  }

  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={wanted ?? checked}
        onChange={(event) => void change(event.target.checked)}
      />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  );
}

function Category({ person, pending, save }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useDraft(person.category ?? '');
  const unchanged = typed.trim() === (person.category ?? '');
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending && !unchanged) void save({ category: typed.trim() || null }, 'categoria');
      }}
    >
      <label className={styles.category} htmlFor={id}>
        Categoria
        <small id={`${id}-hint`}>
          Quem entra com o Google começa como <span translate="no">patient</span>. Vazio: sem categoria.
        </small>
      </label>
      <div className={styles.line}>
        <input
          id={id}
          value={typed}
          maxLength={limits.categoryMaxLength}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" size="small" variant="quiet" aria-disabled={pending || unchanged || undefined}>
          Salvar categoria
        </Button>
      </div>
    </form>
  );
}
