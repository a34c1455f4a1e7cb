import { useContent } from '#web/app/services-context.ts';
import { ButtonAnchor } from '#web/components/button.tsx';
import { WhatsApp } from '#web/components/icons.tsx';

/** Opens WhatsApp with a prepared text that only asks for an appointment. */
export function BookingLink({ size, className }: { size?: 'large'; className?: string | undefined }) {
  const { whatsapp, bookingText } = useContent('identity');
  const url = `https://wa.me/${whatsapp}?text=${encodeURIComponent(bookingText)}`;
  return (
    <ButtonAnchor href={url} target="_blank" rel="noopener" size={size} className={className}>
      <WhatsApp />
      <span>
        Agendar pelo WhatsApp <span className="visually-hidden">(abre em outra aba)</span>
      </span>
    </ButtonAnchor>
  );
}
