/** Removes accents and converts to lower case, so that "respiracao" finds "Respiração". */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
