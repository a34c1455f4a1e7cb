import { useContent } from '#web/app/services.ts';
import { ButtonAnchor } from '../button.tsx';
import { WhatsApp } from '../icons.tsx';

/** A link to WhatsApp with a prepared message that asks for an appointment. A `small` link shows one word. */
export function BookingLink({
  size,
  className,
}: {
  size?: 'small' | 'large';
  className?: string | undefined;
}) {
  const { whatsapp, bookingText } = useContent('identity');
  const url = `https://wa.me/${whatsapp}?text=${encodeURIComponent(bookingText)}`;
  const isSmall = size === 'small';
  return (
    <ButtonAnchor
      href={url}
      target="_blank"
      rel="noopener"
      variant={isSmall ? 'quiet' : 'primary'}
      size={size}
      className={className}
    >
      <WhatsApp />
      <span>
        Agendar <span className={isSmall ? 'visually-hidden' : undefined}>pelo WhatsApp</span>{' '}
        <span className="visually-hidden">(abre em outra aba)</span>
      </span>
    </ButtonAnchor>
  );
}

/** A link that calls CVV, the free telephone line for people in a crisis. */
export const CvvLink = ({ className }: { className?: string | undefined }) => (
  <a className={className} href="tel:188" aria-label="Ligar para o CVV, 188">
    188
  </a>
);
