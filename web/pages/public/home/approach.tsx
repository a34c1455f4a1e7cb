import type { HomeTexts } from '#contract/site/content.ts';
import { Edge } from '#web/components/art/edge.tsx';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { MoreLink } from '../components/more-link.tsx';
import { Paragraphs } from '../components/paragraphs.tsx';
import { Portrait } from '../components/portrait.tsx';
import styles from './approach.module.css';
import { ArrowRight } from './home-icons.tsx';

export function Approach({ texts }: { texts: HomeTexts['about'] }) {
  const { title, lead, paragraphs, link, portrait } = texts;
  return (
    <section className={styles.approach} id="abordagem" aria-labelledby="abordagem-titulo">
      <Edge into="mist" />
      <div className={styles.inner}>
        <div className={styles.picture}>
          <Portrait portrait={portrait} width={400} height={500} lazy className={styles.portrait} />
          <Hexaflex className={styles.mark} />
        </div>
        <div className={styles.text}>
          <h2 id="abordagem-titulo">{title}</h2>
          <p className="lead">{lead}</p>
          <Paragraphs texts={paragraphs} />
          <MoreLink to="/about">
            <span>{link}</span> <ArrowRight />
          </MoreLink>
        </div>
      </div>
      <Edge into="paper" />
    </section>
  );
}
