import { useEffect, useState } from 'react';
import { useRevalidator, useRouteError } from 'react-router';
import { codeMissingSentence, hasCode, unreachableSentence } from '#client/client-error.ts';
import { ErrorView, Loading } from '../components/layout/messages.tsx';
import { SiteLayout } from '../components/layout/site-layout.tsx';
import { isCodeMissing, reloadIfReplaced, reloadPage } from './reload-after-deploy.ts';

/** The page for an unexpected error. It shows a sentence for users and never the error itself. */
export function RootError() {
  const error = useRouteError();
  const codeMissing = isCodeMissing(error);
  const { revalidate } = useRevalidator();
  const [checking, setChecking] = useState(codeMissing);

  useEffect(() => {
    if (!codeMissing) return;
    void reloadIfReplaced().then((reloading) => setChecking(reloading));
  }, [codeMissing]);

  if (checking) return <Loading />;
  const offline = hasCode(error, 'client/offline');
  return (
    <SiteLayout>
      <ErrorView
        title={offline ? 'Sem conexão' : 'Algo deu errado'}
        // Reload only if code is missing: without a connection, the browser's error page would replace ours.
        again={() => (codeMissing ? reloadPage() : void revalidate())}
      >
        {sentenceOf(error)}
      </ErrorView>
    </SiteLayout>
  );
}

function sentenceOf(error: unknown): string {
  if (isCodeMissing(error)) return codeMissingSentence();
  if (hasCode(error, 'client/offline')) return unreachableSentence;
  return 'Foi do nosso lado. Você pode tentar de novo ou voltar ao início.';
}
