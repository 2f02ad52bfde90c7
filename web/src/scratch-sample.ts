// What the scratch begins with.
// It must not know how it is run.
export const scratchSample = `.version 8.1
.target sm_90
.address_size 64

// Each thread doubles one element. Change it, or paste any PTX module over it, and run it.
.visible .entry twice(
	.param .u64 x,
	.param .u64 y,
	.param .u32 n)
{
	.reg .pred %p;
	.reg .b32 %r<5>;
	.reg .f32 %value;
	.reg .b64 %at, %from, %to;

	mov.u32 %r0, %ctaid.x;
	mov.u32 %r1, %ntid.x;
	mov.u32 %r2, %tid.x;
	mad.lo.u32 %r3, %r0, %r1, %r2;
	ld.param.u32 %r4, [n];
	setp.ge.u32 %p, %r3, %r4;
	@%p bra DONE;

	mul.wide.u32 %at, %r3, 4;
	ld.param.u64 %from, [x];
	cvta.to.global.u64 %from, %from;
	add.u64 %from, %from, %at;
	ld.global.f32 %value, [%from];
	add.f32 %value, %value, %value;
	ld.param.u64 %to, [y];
	cvta.to.global.u64 %to, %to;
	add.u64 %to, %to, %at;
	st.global.f32 [%to], %value;
DONE:
	ret;
}
`;
