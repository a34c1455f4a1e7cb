import { Download } from 'lucide-react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { paths } from '#contract/paths.ts';
import { client } from '#web/app/client.ts';
import { useLastSignedIn } from '#web/app/services.ts';
import { ButtonAnchor, ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { waysOf } from '#web/components/proof/proof-dialog.tsx';
import { DeleteAccount } from './account/delete-account.tsx';
import { Passkeys } from './account/passkeys.tsx';
import { Password } from './account/password.tsx';
import { Profile } from './account/profile.tsx';
import { SecondFactor } from './account/second-factor.tsx';
import { AccountSection } from './account/section.tsx';
import { Sessions } from './account/sessions.tsx';
import styles from './account.module.css';

/** Loads the lists of sign-in methods and sessions; the page appears before they arrive. */
export function loader({ request }: LoaderFunctionArgs) {
  return { account: deferred(client.documents.exportAccount(request.signal)) };
}

/** The account page of the signed-in user. */
export function Component() {
  const { account } = useLoaderData<typeof loader>();
  const signedIn = useLastSignedIn();
  if (!signedIn) return <Loading />;
  const { uid, email, secondFactor } = signedIn.session.user;

  return (
    <div className={styles.page} key={uid}>
      <PageTitle title="Conta" />
      <header className={styles.head}>
        <h1 className="page-title">Sua conta</h1>
        <p className="lead">Seus dados, sua senha e os aparelhos em que você entrou.</p>
        <p>
          <ButtonLink to="/minhas-praticas" variant="quiet" size="small">
            Minhas práticas
          </ButtonLink>{' '}
          <ButtonLink to="/aparelho" variant="quiet" size="small">
            Neste aparelho
          </ButtonLink>
        </p>
      </header>
      <Profile signedIn={signedIn} account={account} />
      <Deferred value={account} skeleton={<SkeletonBar width="full" />}>
        {(loaded) => {
          const ways = waysOf(loaded, signedIn.session.startedAt);
          const { hasPassword } = ways;
          return (
            <>
              <Password email={email} hasPassword={hasPassword} />
              {hasPassword && <SecondFactor on={secondFactor} ways={ways} />}
              <Passkeys passkeys={loaded.passkeys} ways={ways} />
              <Sessions sessions={loaded.sessions} />
              <MyData />
              <DeleteAccount ways={ways} />
            </>
          );
        }}
      </Deferred>
    </div>
  );
}

/** Lets users download everything that is stored about them. */
function MyData() {
  return (
    <AccountSection
      title="Meus dados"
      lead="Tudo o que este site guarda sobre você, para ler ou em um arquivo. É seu direito, e não custa nada."
    >
      <ButtonLink variant="quiet" to="/account/dados">
        Ler os meus dados
      </ButtonLink>
      <ButtonAnchor variant="quiet" href={paths.documents.accountExport} download="meus-dados.json">
        <Download /> Baixar meus dados (JSON)
      </ButtonAnchor>
      <details className={styles.content}>
        <summary>O que vem no arquivo</summary>
        <ul>
          <li>Nome, e-mail, foto, papel na clínica e a data em que a conta foi criada.</li>
          <li>As formas de entrar: e-mail e senha, Google. A senha não vem: nem nós a conhecemos.</li>
          <li>Os nomes e as datas das suas chaves de acesso.</li>
          <li>As trocas de e-mail que ainda podem ser confirmadas ou desfeitas.</li>
          <li>Os aparelhos em que a conta está aberta.</li>
          <li>Seu diário, quem você autorizou a ler, quem leu e as suas notas para consultas.</li>
          <li>Seu registro de palavras e humor, se houver.</li>
          <li>As práticas que você guardou, e quando.</li>
          <li>Se você pediu a carta, e quando.</li>
          <li>Os convites abertos que você recebeu ou enviou.</li>
          <li>O que a administração viu ou mudou nos seus dados, quem e quando.</li>
        </ul>
      </details>
      <p>
        Para outras perguntas sobre os seus dados, veja a <Link to="/privacidade">página de privacidade</Link>
        .
      </p>
    </AccountSection>
  );
}
