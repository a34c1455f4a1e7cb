import { useServices } from '#web/app/services-context.ts';
import { NewsletterLinkPage } from './components/newsletter-link.tsx';

/** The page that the link for ending a newsletter subscription opens. */
export function Component() {
  const { client } = useServices();
  return (
    <NewsletterLinkPage
      title="Sair da carta"
      question="Ao sair, o seu e-mail é apagado da nossa lista na hora."
      action="Sair da carta"
      done="Pronto. O seu e-mail foi apagado da lista, e nenhuma carta será enviada."
      send={(token) => client.documents.leaveNewsletter(token)}
    />
  );
}
