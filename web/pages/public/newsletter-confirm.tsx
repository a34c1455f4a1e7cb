import { useServices } from '#web/app/services-context.ts';
import { NewsletterLinkPage } from './components/newsletter-link.tsx';

/** The page that the link for confirming a newsletter subscription opens. */
export function Component() {
  const { client } = useServices();
  return (
    <NewsletterLinkPage
      title="Confirmar a carta"
      question="Falta só confirmar que você quer receber a nossa carta por e-mail, uma vez por mês."
      action="Quero receber a carta"
      done="Pronto. A próxima carta vai para a sua caixa de entrada. Para sair, use o link no fim de cada uma."
      send={(token) => client.documents.confirmNewsletter(token)}
    />
  );
}
