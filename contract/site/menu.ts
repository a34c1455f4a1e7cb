/*
 * What the home page shows, for its links in the menu. These functions are not in content.ts, because
 * visitors' browsers must not load the schema.
 */

type DoctorLists = Record<'training' | 'way' | 'treats', unknown[]>;
type FeeLists = Record<'prices' | 'paragraphs' | 'items', unknown[]>;
type MenuContent = {
  home: { doctor: DoctorLists; fees: FeeLists; newsletter: { title: string } };
  questions: unknown[];
};

/**
 * The links that depend on what the clinic has written and shows, and on its practices for the night.
 */
export type SiteMenu = {
  doctor: boolean;
  fees: string | false;
  questions: boolean;
  newsletter: boolean;
  night: boolean;
};

/** @param content the content for visitors (`shownContent`) */
export const menuOf = (
  { home: { doctor, fees, newsletter }, questions }: MenuContent,
  night: boolean,
): SiteMenu => ({
  night,
  doctor: hasDoctor(doctor),
  fees: hasFees(fees) && (fees.prices.length > 0 ? 'Valores e convênio' : 'Pagamento e convênio'),
  questions: questions.length > 0,
  newsletter: newsletter.title !== '',
});

/** True if the clinic has written about the doctor. */
export const hasDoctor = ({ training, way, treats }: DoctorLists): boolean =>
  training.length + way.length + treats.length > 0;

/** True if the clinic has written about fees or payment. */
export const hasFees = ({ prices, paragraphs, items }: FeeLists): boolean =>
  prices.length + paragraphs.length + items.length > 0;
