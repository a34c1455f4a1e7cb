/*
 * What the home page shows, for its links in the menu. These functions are not in content.ts, because
 * visitors' browsers must not load the schema.
 */

type DoctorLists = Record<'training' | 'way' | 'treats', unknown[]>;
type FeeLists = Record<'prices' | 'paragraphs' | 'items', unknown[]>;

/** The entries of the menu that depend on what the clinic has written, and on its practices for the night. */
export type SiteMenu = { doctor: boolean; fees: string | false; night: boolean };

export const menuOf = (
  { doctor, fees }: { doctor: DoctorLists; fees: FeeLists },
  night: boolean,
): SiteMenu => ({
  night,
  doctor: hasDoctor(doctor),
  fees: hasFees(fees) && (fees.prices.length > 0 ? 'Valores e convênio' : 'Pagamento e convênio'),
});

/** True if the clinic has written about the doctor. */
export const hasDoctor = ({ training, way, treats }: DoctorLists): boolean =>
  training.length + way.length + treats.length > 0;

/** True if the clinic has written about fees or payment. */
export const hasFees = ({ prices, paragraphs, items }: FeeLists): boolean =>
  prices.length + paragraphs.length + items.length > 0;
