/** A link that calls CVV, the free telephone line for people in a crisis. */
export const CvvLink = ({ className }: { className?: string | undefined }) => (
  <a className={className} href="tel:188" aria-label="Ligar para o CVV, 188">
    188
  </a>
);
