import { useState } from 'react';
import * as z from 'zod/mini';
import type { Invitation } from '#contract/sign-in/invitation.ts';
import { type InvitationInput, invitationInput } from '#contract/sign-in/invitation.ts';
import { roleName, roles } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { RadioGroup } from '#web/components/form/radio-group.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { EmailField, FootNote } from '../components/form-parts.tsx';
import styles from './invite-people.module.css';

/** Values of form fields are texts, so the form names a role by its place in `roles`. */
const formSchema = z.object({ ...invitationInput.shape, member: z.string() });
const initial = { email: '', member: '0', note: '' };
const roleAt = (place: string): InvitationInput['member'] => roles[Number(place)]?.member ?? false;

/** Lets admins invite people by e-mail, and withdraw open invitations. */
export function InvitePeople() {
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  const read = () => deferred(client.auth.listInvitations());
  const [list, setList] = useState(read);
  const form = useForm({
    schema: formSchema,
    initial,
    submit: async (input) => {
      await withSession(() => client.auth.invite({ ...input, member: roleAt(input.member) }));
      form.fill(initial);
      const updated = read();
      setList(updated);
      // The invitation exists even if reading the list fails.
      const isInOutbox = await updated.then(
        ({ sendsMail }) => !sendsMail,
        () => false,
      );
      notify(
        isInOutbox
          ? `O convite para ${input.email} está na pasta outbox do servidor.`
          : `Convite enviado para ${input.email}.`,
      );
    },
  });
  const member = form.field('member');
  const role = roles[Number(member.value)];

  return (
    <>
      <PageTitle title="Convidar uma pessoa" />
      <h1>Convidar uma pessoa</h1>
      <p>
        Ela recebe um link por e-mail, escolhe a própria senha e entra com o papel que você escolher aqui. Se
        já tem conta, o papel vale depois que ela entrar e aceitar. O convite vale por 7 dias; o de
        administração, por 24 horas.
      </p>
      <OneButtonForm form={form} submit="Enviar o convite" working="Enviando…">
        <EmailField {...form.field('email')} autoComplete="email" />
        <RadioGroup
          id={member.id}
          legend="Papel"
          hint={role && <span>{`${roleName(role.member)}: ${role.can}`}</span>}
          options={roles.map((one, place) => [String(place), roleName(one.member)] as const)}
          value={member.value}
          onValue={member.onValue}
          error={member.error}
        />
        <TextField
          {...form.field('note')}
          label="Uma frase para o e-mail (opcional)"
          required={false}
          autoComplete="off"
        />
      </OneButtonForm>
      <section className={styles.open} aria-labelledby="convites-abertos">
        <h2 id="convites-abertos" tabIndex={-1}>
          Convites abertos
        </h2>
        <Deferred value={list} skeleton={<SkeletonBar width="full" />} retry={() => setList(read())}>
          {({ invitations, sendsMail }) => (
            <>
              {!sendsMail && (
                <Notice>Este site não envia e-mails: os convites ficam na pasta outbox do servidor.</Notice>
              )}
              <OpenInvitations invitations={invitations} onChange={() => setList(read())} />
            </>
          )}
        </Deferred>
      </section>
      {signInAgain}
      <FootNote>
        <Link to="/admin">Voltar à administração</Link>
      </FootNote>
    </>
  );
}

function OpenInvitations({ invitations, onChange }: { invitations: Invitation[]; onChange: () => void }) {
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  const { failure, run } = useAction();

  const withdraw = ({ id, email }: Invitation) =>
    run(async () => {
      await withSession(() => client.auth.withdrawInvitation(id));
      // The pressed button is about to go, so the focus moves to the heading.
      document.getElementById('convites-abertos')?.focus();
      onChange();
      notify(`O convite para ${email} não vale mais.`);
    });

  if (invitations.length === 0) return <p>Nenhum convite espera resposta.</p>;
  return (
    <>
      <ul className={styles.list}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <div>
              <p className={styles.email} translate="no">
                {invitation.email}
              </p>
              <p className={styles.about}>
                {`${roleName(invitation.member)}. De ${invitation.invitedBy}, até ${dateAndTime(invitation.expiresAt)}.`}
              </p>
              {invitation.note && <p className={styles.about}>{`“${invitation.note}”`}</p>}
            </div>
            <Button variant="quiet" size="small" onClick={() => withdraw(invitation)}>
              Retirar<span className="visually-hidden">{` o convite para ${invitation.email}`}</span>
            </Button>
          </li>
        ))}
      </ul>
      <FormMessage {...failure} />
      {signInAgain}
    </>
  );
}
