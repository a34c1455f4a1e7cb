import { bookingUrl } from '#clinic/identity.ts';
import { ButtonAnchor } from '#web/components/button.tsx';
import { WhatsApp } from '#web/components/icons.tsx';

/** Opens WhatsApp with a text that asks for an appointment. */
export function BookingLink({ size, className }: { size?: 'large'; className?: string | undefined }) {
  return (
    <ButtonAnchor href={bookingUrl} target="_blank" rel="noopener" size={size} className={className}>
      <WhatsApp />
      <span>
        Agendar pelo WhatsApp <span className="visually-hidden">(abre em outra aba)</span>
      </span>
    </ButtonAnchor>
  );
}
