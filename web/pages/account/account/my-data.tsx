import { Download } from 'lucide-react';
import { paths } from '#contract/paths.ts';
import { ButtonAnchor } from '#web/components/button.tsx';
import { Link } from '#web/components/link.tsx';
import styles from './my-data.module.css';
import { AccountSection } from './section.tsx';

/** Lets users download everything that is stored about them. */
export function MyData() {
  return (
    <AccountSection
      title="Meus dados"
      lead="Tudo o que este site guarda sobre você, em um arquivo só. É seu direito, e não custa nada."
    >
      <ButtonAnchor variant="quiet" href={paths.documents.accountExport} download="meus-dados.json">
        <Download /> Baixar meus dados (JSON)
      </ButtonAnchor>
      <details className={styles.content}>
        <summary>O que vem no arquivo</summary>
        <ul>
          <li>Nome, e-mail, foto, papel na clínica e a data em que a conta foi criada.</li>
          <li>As formas de entrar: e-mail e senha, Google. A senha não vem: nem nós a conhecemos.</li>
          <li>Os aparelhos em que a conta está aberta.</li>
          <li>Seu registro de palavras e humor, se houver.</li>
          <li>As práticas que você guardou, e quando.</li>
          <li>Se você pediu a carta, e quando.</li>
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
