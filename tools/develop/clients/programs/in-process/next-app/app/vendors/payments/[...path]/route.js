import { payments } from '../../../../lib/vendor.js';

export const { GET, POST, PUT, PATCH, DELETE } = payments;
