import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { ListedUser, Member } from '#contract/user.ts';
import { Button } from '#web/components/button.tsx';
import { dateOnly } from '#web/components/date-and-time.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { ConfirmRole } from './confirm-role.tsx';
import styles from './edit-user.module.css';
import { roleName } from './flags-of.tsx';
import { useSave } from './use-save.ts';

const roles: { member: Member; hint: string }[] = [
  { member: false, hint: 'Tem conta e pratica.' },
  { member: true, hint: 'Vê também a página Pro.' },
  { member: 'admin', hint: 'Cuida das práticas, vê todas as pessoas e muda papéis.' },
];

/** A dialog for a user's role, flags and category; each is saved separately. */
export function EditUser({
  user,
  onChanged,
  onClose,
}: {
  user: ListedUser;
  onChanged: (user: ListedUser) => void;
  onClose: () => void;
}) {
  const saving = useSave(user, onChanged);
  const { pending, save } = saving;
  return (
    <Dialog title={user.displayName} size="narrow" onClose={onClose}>
      <div className={styles.user}>
        <p className={styles.account}>
          {user.email}
          <br />
          Conta desde {dateOnly(user.createdAt)}
        </p>
        <FormMessage message={saving.message} />
        <Role user={user} pending={pending} save={save} />
        <fieldset className={styles.flags}>
          <legend>Marcas</legend>
          <Flag
            label="Equipe"
            hint="O menu da administração ganha as cores da equipe."
            checked={user.staff}
            onChange={(staff) => save({ staff }, 'Equipe')}
          />
          <Flag
            label="Pesquisa"
            hint="Participa da pesquisa."
            checked={user.research}
            onChange={(research) => save({ research }, 'Pesquisa')}
          />
        </fieldset>
        <Category user={user} pending={pending} save={save} />
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

type FieldProps = { user: ListedUser; pending: boolean; save: ReturnType<typeof useSave>['save'] };

/** Holds an unsaved choice. It resets when the stored value changes. */
function useDraft<Value>(stored: Value) {
  const [draft, setDraft] = useState({ value: stored, of: stored });
  if (draft.of !== stored) setDraft({ value: stored, of: stored });
  return [draft.value, (value: Value) => setDraft({ value, of: stored })] as const;
}

/** A button saves the role, because arrow keys also select roles that the admin does not want to give. */
function Role({ user, pending, save }: FieldProps) {
  const name = useId();
  const [chosen, setChosen] = useDraft<Member>(user.member);
  const [asking, setAsking] = useState(false);
  const saveChosen = () => void save({ member: chosen }, 'papel');

  function submit() {
    if (pending || chosen === user.member) return;
    if (chosen === 'admin' || user.member === 'admin') setAsking(true);
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
        aria-disabled={pending || chosen === user.member || undefined}
      >
        Salvar papel
      </Button>
      {asking && (
        <ConfirmRole
          user={user}
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
  // Show the change immediately; show the stored value again if the save fails.
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

function Category({ user, pending, save }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useDraft(user.category ?? '');
  const unchanged = typed.trim() === (user.category ?? '');
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
      <div className={styles.row}>
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
