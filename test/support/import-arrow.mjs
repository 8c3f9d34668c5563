await import('apache-arrow');
console.log('loaded');
