import type { HomeTexts } from '#contract/site/content.ts';
import { Crisis } from '#web/components/crisis.tsx';
import { Link } from '#web/components/link.tsx';
import { ArrowUpRight, AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { ArrowRight, HeartHandshake } from './home-icons.tsx';
import styles from './resources.module.css';

type ResourcesTexts = HomeTexts['resources'];

/** Links to pages of this site and of other sites, together with the phone numbers for a crisis. */
export function Resources({ texts: { title, items } }: { texts: ResourcesTexts }) {
  const hasItems = items.length > 0;
  return (
    <section className={styles.resources} aria-labelledby={hasItems ? 'recursos' : undefined}>
      {hasItems && (
        <>
          <h2 id="recursos">{title}</h2>
          <ul className={styles.list}>
            {items.map((item, index) => (
              <Resource key={index} {...item} />
            ))}
          </ul>
        </>
      )}
      <Crisis title="Se você precisa de ajuda agora" className={styles.crisis} />
    </section>
  );
}

function Resource({ title, text, url }: ResourcesTexts['items'][number]) {
  const isElsewhere = url.startsWith('https:');
  const axis = isElsewhere ? 'move' : url.startsWith('/practices') ? 'mind' : 'values';
  const icon = isElsewhere ? <HeartHandshake /> : <AxisIcon axis={axis} />;
  return (
    <li data-axis={axis}>
      {isElsewhere ? (
        <a href={url} target="_blank" rel="noopener">
          {icon}
          <span className={styles.title}>{title}</span>
          <span className={styles.text}>
            <span>{text}</span>
            <span className="visually-hidden"> (abre em outra aba)</span>
          </span>
          <ArrowUpRight />
        </a>
      ) : (
        <Link to={url}>
          {icon}
          <span className={styles.title}>{title}</span>
          <span className={styles.text}>{text}</span>
          <ArrowRight />
        </Link>
      )}
    </li>
  );
}
