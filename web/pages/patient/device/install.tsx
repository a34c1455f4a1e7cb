import styles from '../device.module.css';

/** Says how to install the site. Browsers differ, and not all of them offer a button for it. */
export function Install() {
  if (window.matchMedia('(display-mode: standalone)').matches) return null;
  return (
    <section className={styles.section} aria-labelledby="instalar">
      <h2 id="instalar">Instalar como aplicativo</h2>
      <dl className={styles.ways}>
        <div>
          <dt>Android e computador</dt>
          <dd>No menu do navegador, toque em “Instalar aplicativo” ou “Adicionar à tela inicial”.</dd>
        </div>
        <div>
          <dt>iPhone e iPad</dt>
          <dd>
            No Safari, toque em Compartilhar e em “Adicionar à Tela de Início”. Depois entre na sua conta no
            aplicativo e abra esta página lá: ele guarda tudo à parte do Safari. Sem instalar, o Safari apaga
            o que fica guardado depois de sete dias sem visita.
          </dd>
        </div>
      </dl>
    </section>
  );
}
