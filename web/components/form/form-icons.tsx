import { icon } from '../icons.tsx';

/* Lucide's icons, see icons.tsx. Their own file lets the home page load them only with its form. */
export const CircleAlert = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 8L12 12M12 16L12.01 16');
export const Info = icon('M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M12 16L12 12M12 8L12.01 8');
