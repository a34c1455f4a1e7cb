import { Check } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { type ListedUser, type Member, roleName, roles } from '#contract/user.ts';
import { Button } from '#web/components/button.tsx';
import { dateOnly } from '#web/components/date-and-time.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useClinicians } from '../components/clinicians.ts';
import { DiaryReader } from './diary-reader.tsx';
import styles from './edit-user.module.css';
import { useSave } from './use-save.ts';
import { changesOf, shownValues, type UserDraft } from './user-draft.ts';

const emailMark = {
  name: 'emailVerified',
  label: 'E-mail confirmado.',
  hint: 'Este site não envia e-mails: marque só se você sabe que o endereço é desta pessoa.',
} as const;

const marks = [
  { name: 'staff', label: 'Equipe.', hint: 'O menu da administração ganha as cores da equipe.' },
  { name: 'research', label: 'Pesquisa.', hint: 'Aceitou participar da pesquisa.' },
] as const;

/** A dialog for a user's role, flags and category. One button saves them all. */
export function EditUser({
  user,
  onChanged,
  onClose,
}: {
  user: ListedUser;
  onChanged: (user: ListedUser) => void;
  onClose: () => void;
}) {
  const id = useId();
  const [draft, setDraft] = useState<UserDraft>({});
  const [asking, setAsking] = useState<'role' | 'discard'>();
  const values = shownValues(user, draft);
  const changes = changesOf(user, draft);
  const unsaved = Object.keys(changes).length > 0;
  const { leaveGuard, allowLeaving } = useLeaveGuard(unsaved);
  const { pending, saved, message, save, signInAgain } = useSave(user, onChanged, allowLeaving);
  const choose = (choice: UserDraft) => setDraft({ ...draft, ...choice });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (pending || !unsaved) return;
    const { member } = changes;
    if (member !== undefined && (member === 'admin' || user.member === 'admin')) setAsking('role');
    else void save(changes);
  }

  return (
    <Dialog
      title={user.displayName}
      size="narrow"
      onClose={() => (unsaved ? setAsking('discard') : onClose())}
      footer={
        <div className={styles.foot}>
          <p className={styles.state} role="status">
            {saved && !unsaved && (
              <span className={styles.saved}>
                <Check /> <span>{saved}</span>
              </span>
            )}
            {unsaved && !pending && <span>Ainda não salvo.</span>}
          </p>
          <Button type="submit" form={id} aria-disabled={pending || !unsaved || undefined}>
            {pending ? 'Salvando…' : 'Salvar'}
          </Button>
        </div>
      }
    >
      <form id={id} className={styles.user} onSubmit={submit}>
        <p className={styles.account}>
          <span translate="no">{user.email}</span>
          <br />
          <span>{`Conta desde ${dateOnly(user.createdAt)}`}</span>
        </p>
        <FormMessage message={message} />
        <fieldset className={styles.choices}>
          <legend>Papel</legend>
          {roles.map(({ member, can }) => (
            <label key={String(member)} className={styles.choice}>
              <input
                type="radio"
                name={`${id}-role`}
                checked={values.member === member}
                onChange={() => choose({ member })}
              />
              <span>
                <strong>{`${roleName(member)}:`}</strong> <span>{can}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset className={styles.choices}>
          <legend>Marcas</legend>
          {(user.canBeVerified ? [...marks, emailMark] : marks).map(({ name, label, hint }) => (
            <label key={name} className={styles.choice}>
              <input
                type="checkbox"
                checked={values[name]}
                onChange={({ target }) => choose({ [name]: target.checked })}
              />
              <span>
                <strong>{label}</strong> <span>{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div className={styles.category}>
          <label htmlFor={`${id}-category`}>Categoria</label>
          <p id={`${id}-hint`}>Quem entra com o Google começa como Paciente. Vazio: sem categoria.</p>
          <input
            id={`${id}-category`}
            value={values.category}
            maxLength={limits.categoryMaxLength}
            autoComplete="off"
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => choose({ category: target.value })}
          />
        </div>
      </form>
      {user.member === 'admin' && <DiaryReader user={user} />}
      {asking === 'role' && changes.member !== undefined && (
        <ConfirmRole
          user={user}
          next={changes.member}
          onClose={() => setAsking(undefined)}
          onConfirm={() => {
            setAsking(undefined);
            void save(changes);
          }}
        />
      )}
      {asking === 'discard' && (
        <DiscardChanges
          name={user.displayName}
          saving={pending}
          onDiscard={onClose}
          onClose={() => setAsking(undefined)}
        />
      )}
      {signInAgain}
      {leaveGuard}
    </Dialog>
  );
}

/** Asks before the dialog of a user closes with changes that are not saved. */
function DiscardChanges({
  name,
  saving,
  onDiscard,
  onClose,
}: {
  name: string;
  /** True while the changes are being saved. */
  saving: boolean;
  onDiscard: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      title="Fechar sem salvar?"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="danger" onClick={onDiscard}>
            Fechar sem salvar
          </Button>
          <Button onClick={onClose}>Continuar editando</Button>
        </>
      }
    >
      <p>
        {saving
          ? `As mudanças em ${name} ainda estão sendo salvas. Se você fechar agora, não vai saber se deu certo.`
          : `As mudanças em ${name} ainda não foram salvas.`}
      </p>
    </Dialog>
  );
}

/** Asks before a user gets or loses the admin role. */
function ConfirmRole({
  user,
  next,
  onConfirm,
  onClose,
}: {
  user: ListedUser;
  next: Member;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const gives = next === 'admin';
  const isClinician = useClinicians().some(({ uid }) => uid === user.id);
  return (
    <Dialog
      title={
        gives
          ? `Tornar a conta de ${user.displayName} administradora?`
          : `Tirar a administração de ${user.displayName}?`
      }
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancelar
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {gives ? 'Tornar administradora' : 'Tirar a administração'}
          </Button>
        </>
      }
    >
      <p>
        {gives
          ? `Quem entra com ${user.email} passa a ver os dados de todas as pessoas, a mudar as práticas e a escolher papéis.`
          : `Quem entra com ${user.email} deixa na hora de ver esta área. As práticas que publicou ficam.`}
      </p>
      {isClinician && <p>O que pacientes mostram a esta pessoa do diário se encerra.</p>}
    </Dialog>
  );
}
