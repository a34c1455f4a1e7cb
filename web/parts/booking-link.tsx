import { SiWhatsapp } from '@icons-pack/react-simple-icons';
import { bookingUrl } from '#clinic/identity.ts';
import { ButtonAnchor } from './button.tsx';

/** Opens WhatsApp with the text that asks for an appointment. */
export function BookingLink({ size, className }: { size?: 'large'; className?: string | undefined }) {
  return (
    <ButtonAnchor href={bookingUrl} target="_blank" rel="noopener" size={size} className={className}>
      <SiWhatsapp className="icon" data-solid aria-hidden="true" />
      <span>
        Agendar pelo WhatsApp <span className="visually-hidden">(abre em outra aba)</span>
      </span>
    </ButtonAnchor>
  );
}
